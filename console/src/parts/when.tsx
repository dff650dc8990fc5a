/** A moment: how long ago it was, which goes on while one looks; the exact time on pointing at it, or beside it. */
import { useSyncExternalStore } from 'react';
import { ago, moment } from '../i18n/words.ts';

/** Seldom enough for a table of hundreds, often enough for minutes. */
const EVERY = 10_000;

let tick = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

/** One clock for the whole page, which stands while nobody looks at it. */
function watchClock(tell: () => void): () => void {
  watchers.add(tell);
  timer ??= setInterval(() => {
    tick += 1;
    for (const each of watchers) each();
  }, EVERY);
  return () => {
    watchers.delete(tell);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const useClock = () => useSyncExternalStore(watchClock, () => tick);

interface WhenProps {
  /** In milliseconds; nothing, or no number, where it is not known. */
  readonly at: number | undefined;
  /** Written out, for where there is room. */
  readonly full?: boolean;
}

export function When({ at, full = false }: WhenProps) {
  useClock();
  if (!at || !(at > 0)) return <>–</>;
  const [exact, relative] = [moment(at), ago(at)];
  return (
    <time dateTime={new Date(at).toISOString()} title={exact} style={{ whiteSpace: full ? undefined : 'nowrap' }}>
      {full ? (
        <>
          {exact} <span className="soft">· {relative}</span>
        </>
      ) : (
        relative
      )}
    </time>
  );
}
