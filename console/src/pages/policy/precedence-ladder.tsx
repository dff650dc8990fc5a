/** The ladder of policies for one template: who would have it, who has it, and what decides between them. */
import { Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFoundObjects } from '../../api/found.ts';
import { CLUSTER_PROPAGATION, PROPAGATION } from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { useResource } from '../resources/resource-object.ts';
import { ladderOf, type Rung } from './precedence.ts';

const MOST = 500;

export function PrecedenceLadder({ of, highlight = '' }: { readonly of: ObjectRef; readonly highlight?: string }) {
  const { t } = useTranslation();
  const { instance, namespace } = of;
  const template = useResource(of);
  const own = useFoundObjects({
    instance,
    kind: PROPAGATION,
    page: 1,
    pageSize: MOST,
    ...(namespace ? { namespace } : {}),
  });
  const wide = useFoundObjects({ instance, kind: CLUSTER_PROPAGATION, page: 1, pageSize: MOST });
  return (
    <Panel title={t('ladder.title')} flush>
      <Answer of={template}>
        {(object) => (
          <Answer of={own}>
            {({ rows }) => (
              <Answer of={wide}>
                {({ rows: others }) => (
                  <Ladder instance={instance} object={object} policies={[...rows, ...others]} highlight={highlight} />
                )}
              </Answer>
            )}
          </Answer>
        )}
      </Answer>
    </Panel>
  );
}

interface LadderProps {
  readonly instance: string;
  readonly object: Thing;
  readonly policies: readonly Thing[];
  readonly highlight: string;
}

function Ladder({ instance, object, policies, highlight }: LadderProps) {
  const { t } = useTranslation();
  const rungs = ladderOf(object, policies);
  const first = rungs[0];
  const held = rungs.find(({ inForce }) => inForce);
  if (!first) return <Empty title={t('ladder.none')}>{t('ladder.noneHint')}</Empty>;
  return (
    <>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col" className="num">
              #
            </th>
            <th scope="col">{t('policy.what')}</th>
            <th scope="col">{t('ladder.where')}</th>
            <th scope="col" className="num">
              {t('policy.priority')}
            </th>
            <th scope="col">{t('ladder.matches')}</th>
            <th scope="col">{t('ladder.because')}</th>
          </tr>
        </thead>
        <tbody>
          {rungs.map((rung, index) => (
            <RungRow
              key={`${rung.kind}/${rung.name}`}
              instance={instance}
              rung={rung}
              next={rungs[index + 1]}
              number={index + 1}
              marked={rung.name === highlight}
            />
          ))}
        </tbody>
      </table>
      {held && held !== first && (
        <Text size="sm" p={12} c="dimmed">
          {t(first.preempts ? 'ladder.takesOver' : 'ladder.keeps', { held: held.name, first: first.name })}
        </Text>
      )}
    </>
  );
}

interface RungProps {
  readonly instance: string;
  readonly rung: Rung;
  readonly next: Rung | undefined;
  readonly number: number;
  readonly marked: boolean;
}

function RungRow({ instance, rung, next, number, marked }: RungProps) {
  const { t } = useTranslation();
  const { kind, namespace, name, priority, closeness, inForce, above } = rung;
  return (
    <tr
      data-rung={name}
      aria-current={marked ? 'true' : undefined}
      style={marked ? { background: 'var(--k-accent-ground)' } : {}}
    >
      <td className="num soft">{number}</td>
      <td>
        <Link
          to="/i/$instance/policies/$kind/$namespace/$name"
          params={{ instance, kind, namespace: namespace || '-', name }}
          style={{ fontWeight: 550 }}
        >
          {name}
        </Link>{' '}
        {inForce && (
          <Badge variant="light" color="green" tt="none" fw={550} c="var(--k-healthy)" bg="var(--k-healthy-ground)">
            {t('ladder.inForce')}
          </Badge>
        )}
      </td>
      <td>{kind === 'PropagationPolicy' ? t('ladder.inNamespace', { namespace }) : t('ladder.wide')}</td>
      <td className="num">{priority}</td>
      <td>{t(`ladder.closeness.${closeness}`)}</td>
      <td className="soft">{next ? t(`ladder.above.${above}`, { other: next.name }) : '–'}</td>
    </tr>
  );
}
