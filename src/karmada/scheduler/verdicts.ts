/**
 * What the scheduler decided and no status says yet.
 *
 * A binding that was just placed is reported on within moments: whoever writes its status next writes the verdict along,
 * so that one write says both. `verdict-controller.ts` writes those that nobody took along. Lost with the process, as a
 * decision is that was not written: the binding's status shows that its generation was not dealt with, and it is looked
 * at again. Pure but for its own memory.
 */
import type { AnyBinding, BindingStatus } from '#karmada/apis/index.ts';
import { keyOf } from '#kube/meta/object.ts';

export interface Verdict {
  /** Of the binding it is about: another one of that name has nothing to do with it. */
  readonly uid: string | undefined;
  readonly since: number;
  /** When it is written if nobody has taken it along, in milliseconds. */
  readonly due: number;
  /** The status that says it. */
  apply(status: BindingStatus | undefined): BindingStatus;
}

export interface Verdicts {
  /** On top of what is still to be written of the same binding. */
  add(binding: AnyBinding, when: Pick<Verdict, 'since' | 'due'>, apply: Verdict['apply']): void;
  of(binding: AnyBinding): Verdict | undefined;
  /** The binding as it is once its verdict is written. */
  applied(binding: AnyBinding): AnyBinding;
  /** It is written, unless another has come since. */
  settle(key: string, verdict: Verdict | undefined): void;
  forget(key: string): void;
  /** Told the key of every binding that gets a verdict. */
  follow(told: (key: string) => void): void;
}

export function verdicts(): Verdicts {
  const pending = new Map<string, Verdict>();
  let tell: (key: string) => void = () => undefined;

  function of(binding: AnyBinding): Verdict | undefined {
    const verdict = pending.get(keyOf(binding));
    return verdict?.uid === binding.metadata.uid ? verdict : undefined;
  }

  return {
    add(binding, when, apply) {
      const before = of(binding);
      pending.set(keyOf(binding), {
        uid: binding.metadata.uid,
        ...(before && before.due < when.due ? { since: before.since, due: before.due } : when),
        apply: before ? (status) => apply(before.apply(status)) : apply,
      });
      tell(keyOf(binding));
    },
    of,
    applied(binding) {
      const verdict = of(binding);
      return verdict ? { ...binding, status: verdict.apply(binding.status) } : binding;
    },
    settle(key, verdict) {
      if (pending.get(key) === verdict) pending.delete(key);
    },
    forget: (key) => void pending.delete(key),
    follow(told) {
      tell = told;
      for (const key of pending.keys()) told(key);
    },
  };
}
