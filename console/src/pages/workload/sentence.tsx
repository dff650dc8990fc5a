/** How a workload is, in one sentence with the next step. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLost, useSilentSince } from '../../api/clusters.ts';
import { type ObjectRef, useBinding, useObject } from '../../api/objects.ts';
import { type Placed, placedOf, type Verdict, verdictOf } from '../../api/placed.ts';
import { problemOf } from '../../api/problem.ts';
import { moment } from '../../i18n/words.ts';
import { engineSays } from '../../i18n/language.ts';
import { Banner, type State } from '../../parts/status.tsx';

/** Where whoever asks for the reason should look. */
const LOOK: Readonly<Partial<Record<Verdict['sentence'], { tab: string; word: 'why' | 'openTrace' | 'openPods' }>>> = {
  unscheduled: { tab: 'placement', word: 'why' },
  notApplied: { tab: 'trace', word: 'openTrace' },
  partly: { tab: 'pods', word: 'openPods' },
  stuck: { tab: 'pods', word: 'openPods' },
};

export function Sentence({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  const binding = useBinding(of);
  const object = useObject(of);
  const lost = useLost(instance);
  if (!object.data) return null;
  if (!binding.data && !binding.error) return null;
  const missing = binding.error ? problemOf(binding.error) : undefined;
  const deleting = object.data.metadata.deletionTimestamp !== undefined;
  const known = missing ? undefined : binding.data;
  const { state, sentence, message } = verdictOf({ binding: known, missing, deleting, lost });
  const placed = known ? placedOf(known, lost) : [];
  if (sentence === 'unheard') return <Unheard instance={instance} placed={placed} lost={lost} state={state} />;
  const sum = (pick: 'ready' | 'wanted') => placed.reduce((total, one) => total + one[pick], 0);
  const look = LOOK[sentence];
  const next =
    sentence === 'noPolicy' ? (
      <Link
        to="/i/$instance/policies/new"
        params={{ instance }}
        search={{ kind: 'PropagationPolicy', ns: namespace, for: name }}
      >
        {t('policy.create')}
      </Link>
    ) : (
      look && (
        <Link
          to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
          params={{ instance, kind: kind.kind, namespace, name, tab: look.tab }}
        >
          {t(`workload.${look.word}`)}
        </Link>
      )
    );
  return (
    <Banner state={state} action={next}>
      <b>
        {t(`workload.sentence.${sentence}`, {
          count: placed.length,
          ready: sum('ready'),
          wanted: sum('wanted'),
        })}
      </b>
      {message && <div>{engineSays(message)}</div>}
    </Banner>
  );
}

interface UnheardProps {
  readonly instance: string;
  readonly placed: readonly Placed[];
  readonly lost: ReadonlySet<string>;
  readonly state: State;
}

/** Some of it is where nobody answers: since when, what is known of the rest, and what can be done. */
function Unheard({ instance, placed, lost, state }: UnheardProps) {
  const { t } = useTranslation();
  const silent = placed.filter(({ cluster }) => lost.has(cluster)).map(({ cluster }) => cluster);
  const since = useSilentSince(instance, silent[0]);
  const sum = (pick: 'ready' | 'wanted' | 'unheard') => placed.reduce((total, one) => total + one[pick], 0);
  const [wanted, unheard] = [sum('wanted'), sum('unheard')];
  return (
    <Banner state={state} action={<WaysOut instance={instance} silent={silent} />}>
      <b>
        {t(wanted > 0 ? 'workload.silent.replicas' : 'workload.silent.copies', {
          count: silent.length,
          clusters: silent.join(', '),
          all: placed.length,
          wanted,
          unheard,
        })}
      </b>{' '}
      {since > 0 && t('workload.silent.since', { since: moment(since) })}
      {wanted > unheard && <div>{t('workload.silent.rest', { ready: sum('ready'), wanted: wanted - unheard })}</div>}
    </Banner>
  );
}

function WaysOut({ instance, silent }: { readonly instance: string; readonly silent: readonly string[] }) {
  const { t } = useTranslation();
  const cluster = silent[0] ?? '';
  return (
    <span style={{ display: 'inline-flex', gap: 14, whiteSpace: 'nowrap' }}>
      <Link to="/i/$instance/clusters/$cluster" params={{ instance, cluster }}>
        {t('workload.silent.open', { cluster })}
      </Link>
      <Link to="/i/$instance/resilience" params={{ instance }} search={{ lose: [...silent], how: 'lose' }}>
        {t('workload.silent.rehearse')}
      </Link>
    </span>
  );
}
