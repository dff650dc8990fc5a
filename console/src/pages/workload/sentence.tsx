/** How a workload is, in one sentence with the next step. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ObjectRef, useBinding, useObject } from '../../api/objects.ts';
import { placedOf, verdictOf } from '../../api/placed.ts';
import { problemOf } from '../../api/problem.ts';
import { Banner } from '../../parts/status.tsx';

export function Sentence({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  const binding = useBinding(of);
  const object = useObject(of);
  if (!object.data) return null;
  if (!binding.data && !binding.error) return null;
  const missing = binding.error ? problemOf(binding.error) : undefined;
  const deleting = object.data.metadata.deletionTimestamp !== undefined;
  const known = missing ? undefined : binding.data;
  const { state, sentence, message } = verdictOf(known, missing, deleting);
  const placed = known ? placedOf(known) : [];
  const sum = (pick: 'ready' | 'wanted') => placed.reduce((total, one) => total + one[pick], 0);
  const next =
    sentence === 'noPolicy' ? (
      <Link
        to="/i/$instance/policies/new"
        params={{ instance }}
        search={{ kind: 'PropagationPolicy', ns: namespace, for: name }}
      >
        {t('policy.create')}
      </Link>
    ) : sentence === 'unscheduled' || sentence === 'notApplied' ? (
      <Link
        to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
        params={{ instance, kind: kind.kind, namespace, name, tab: sentence === 'unscheduled' ? 'placement' : 'trace' }}
      >
        {t(sentence === 'unscheduled' ? 'workload.why' : 'workload.openTrace')}
      </Link>
    ) : undefined;
  return (
    <Banner state={state} action={next}>
      <b>
        {t(`workload.sentence.${sentence}`, {
          count: placed.length,
          ready: sum('ready'),
          wanted: sum('wanted'),
        })}
      </b>
      {message && <div>{message}</div>}
    </Banner>
  );
}
