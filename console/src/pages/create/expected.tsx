/** Where a new workload would go, told while its policy is still being written. */
import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { readYaml } from '../../api/read-yaml.ts';
import { useSimulation } from '../../api/simulation.ts';
import { ReplicaFlow } from '../../parts/effect.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { engineSays } from '../../i18n/language.ts';
import { type Draft, nameOf, policyOf } from './draft.ts';
import { AlreadyThere } from './already-there.tsx';

interface Props {
  readonly instance: string;
  readonly draft: Draft;
}

/** What the engine would do with the workload and its policy, without what differs from cluster to cluster. */
function usePlaced({ instance, draft }: Props) {
  const objects = [readYaml(draft.workload), readYaml(policyOf(draft))];
  const apply = objects.flatMap((object) => (object ? [object] : []));
  const asked = useSimulation(instance, apply.length === objects.length ? { apply } : undefined);
  const name = nameOf(draft.workload);
  const binding = asked.data?.bindings.find(({ template }) => template?.kind === draft.kind && template.name === name);
  return { asked, binding };
}

/** The clusters it would go to. */
export function useExpectedClusters(props: Props): readonly string[] {
  return (usePlaced(props).binding?.after.map(({ name }) => name) ?? []).toSorted();
}

export function Expected(props: Props) {
  const { t } = useTranslation();
  const { asked, binding } = usePlaced(props);
  // The engine's order is how well each does; a list that jumps while one types helps nobody.
  const after = [...(binding?.after ?? [])].sort((one, other) => one.name.localeCompare(other.name));
  return (
    <div style={{ opacity: asked.isFetching ? 0.65 : 1 }} aria-busy={asked.isFetching}>
      <Answer of={asked}>
        {({ unschedulable }) => (
          <Stack gap="sm" data-expected={after.map(({ name }) => name).join(',')}>
            {after.length > 0 ? (
              <Text size="sm">{t('create.goesTo', { count: after.length })}</Text>
            ) : (
              <Banner state="blocked">
                <b>{t('create.goesNowhere')}</b> {engineSays(unschedulable[0]?.message ?? '')}
              </Banner>
            )}
            {binding && after.some(({ replicas }) => replicas > 0) ? (
              <ReplicaFlow binding={{ before: binding.before, after }} />
            ) : (
              <Group gap={5}>
                {after.map(({ name }) => (
                  <span key={name} className="chip">
                    {name}
                  </span>
                ))}
              </Group>
            )}
            <AlreadyThere
              instance={props.instance}
              objects={[readYaml(props.draft.workload)]}
              policy={readYaml(policyOf(props.draft))}
              clusters={after.map(({ name }) => name)}
            />
          </Stack>
        )}
      </Answer>
    </div>
  );
}
