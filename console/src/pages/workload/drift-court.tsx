/** The drift court: what differs, who wrote it there, and a verdict for each field. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  DriftService,
  type FieldDrift,
  FieldVerdict_Verdict as Verdict,
} from '#gen/proto/kairship/api/drift/v1alpha1/drift_service_pb.ts';
import { useLost, useSilentSince } from '../../api/clusters.ts';
import type { Difference } from '../../api/differences.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { ago, moment } from '../../i18n/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Waiting } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { millis, resourceOf } from './shared.ts';

const drifts = createClient(DriftService, transport);

interface CourtProps {
  readonly of: ObjectRef;
  readonly cluster: string;
  readonly missing: boolean;
  /** What the console saw itself; shown where the court does not sit. */
  readonly seen: readonly Difference[];
}

export function DriftCourt({ of, cluster, missing, seen }: CourtProps) {
  const { t } = useTranslation();
  const { instance } = of;
  const { data, error } = useQuery(DriftService.method.getDrift, { instance, cluster, resource: resourceOf(of) });
  const silent = useLost(instance).has(cluster);
  const since = useSilentSince(instance, silent ? cluster : undefined);
  if (silent) return <Silent instance={instance} cluster={cluster} since={since} />;
  if (!data && !error) return <Waiting rows={2} />;
  if (data?.missing ?? missing) return <Banner state="blocked">{t('drift.missing', { cluster })}</Banner>;
  if (data && data.fields.length > 0) return <Court of={of} cluster={cluster} fields={data.fields} />;
  if (data || seen.length === 0) return <Banner state="healthy">{t('drift.none', { cluster })}</Banner>;
  return (
    <Panel title={t('drift.title', { count: seen.length, cluster })} flush>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{t('drift.field')}</th>
            <th scope="col">{t('drift.rendered')}</th>
            <th scope="col">{t('drift.live')}</th>
          </tr>
        </thead>
        <tbody>
          {seen.map(({ path, sent, live }) => (
            <tr key={path}>
              <td className="mono">{path}</td>
              <td className="mono">{shown(sent)}</td>
              <td className="mono">{shown(live)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Silent({
  instance,
  cluster,
  since,
}: {
  readonly instance: string;
  readonly cluster: string;
  readonly since: number;
}) {
  const { t } = useTranslation();
  return (
    <Banner
      state="unknown"
      action={
        <Link to="/i/$instance/clusters/$cluster" params={{ instance, cluster }}>
          {t('workload.silent.open', { cluster })}
        </Link>
      }
    >
      <b>{t('drift.silent', { cluster })}</b> {since > 0 && t('workload.silent.since', { since: moment(since) })}
    </Banner>
  );
}

const VERDICTS = { putBack: Verdict.PUT_BACK, keep: Verdict.KEEP, override: Verdict.OVERRIDE } as const;
type Word = keyof typeof VERDICTS;

function Court({
  of,
  cluster,
  fields,
}: {
  readonly of: ObjectRef;
  readonly cluster: string;
  readonly fields: readonly FieldDrift[];
}) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [chosen, setChosen] = useState<Readonly<Record<string, Word>>>({});
  const may = useMay('kairship/drift/resolve', { instance: of.instance, namespace: of.namespace });
  const verdicts = Object.entries(chosen).map(([path, word]) => ({ path, verdict: VERDICTS[word] }));
  const resolve = useMutation({
    mutationFn: (dryRun: boolean) =>
      drifts.resolveDrift({ instance: of.instance, cluster, resource: resourceOf(of), verdicts, dryRun }),
    onSuccess: (_, dryRun) => {
      if (!dryRun) void cache.invalidateQueries();
    },
  });
  return (
    <Panel title={t('drift.title', { count: fields.length, cluster })} flush>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{t('drift.field')}</th>
            <th scope="col">{t('drift.template')}</th>
            <th scope="col">{t('drift.rendered')}</th>
            <th scope="col">{t('drift.live')}</th>
            <th scope="col">{t('drift.by')}</th>
            <th scope="col">{t('drift.verdict')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.path}>
              <td className="mono">{field.path}</td>
              <td className="mono">{shown(plain(field.template))}</td>
              <td className="mono">{shown(plain(field.sent))}</td>
              <td className="mono">{shown(plain(field.live))}</td>
              <td>
                {field.manager || '–'}
                {field.writtenAt && <div className="soft">{ago(millis(field.writtenAt))}</div>}
                {field.keptBy && <div className="soft">{t('drift.keptBy', { rule: field.keptBy })}</div>}
              </td>
              <td>
                <Select
                  aria-label={t('drift.verdictOf', { path: field.path })}
                  placeholder={t('drift.choose')}
                  w={190}
                  clearable
                  value={chosen[field.path] ?? null}
                  onChange={(word) => setChosen(withChoice(chosen, field.path, word))}
                  data={(Object.keys(VERDICTS) as Word[]).map((word) => ({ value: word, label: t(`drift.${word}`) }))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Stack p="sm" gap={8}>
        {resolve.error && <Banner state="blocked">{problemOf(resolve.error).message}</Banner>}
        {resolve.data && resolve.variables && (
          <>
            <Text size="sm">{t('drift.wouldWrite', { count: resolve.data.written.length })}</Text>
            <Yaml
              label={t('drift.wouldWrite', { count: resolve.data.written.length })}
              value={resolve.data.written.map((object) => yamlOf(object)).join('---\n')}
              height="240px"
            />
          </>
        )}
        {commandsOf(of, cluster, chosen).map((line) => (
          <CommandLine key={line} line={line} />
        ))}
        <Group gap={8}>
          <Button variant="default" disabled={verdicts.length === 0} onClick={() => resolve.mutate(true)}>
            {t('action.preview')}
          </Button>
          <GuardedButton
            may={may}
            disabled={verdicts.length === 0}
            loading={resolve.isPending}
            onClick={() => resolve.mutate(false)}
          >
            {t('drift.settle', { count: verdicts.length })}
          </GuardedButton>
        </Group>
      </Stack>
    </Panel>
  );
}

/** What the command line calls each verdict; keeping a field as it is has no command. */
const COMMANDS = { putBack: 'revert', override: 'accept' } as const;

function commandsOf(of: ObjectRef, cluster: string, chosen: Readonly<Record<string, Word>>): readonly string[] {
  return (['putBack', 'override'] as const).flatMap((word) => {
    const fields = Object.keys(chosen).filter((path) => chosen[path] === word);
    if (fields.length === 0) return [];
    const { kind, name, namespace, instance } = of;
    const where = `-n ${namespace} --cluster ${cluster} -i ${instance}`;
    return [`kairship drift ${COMMANDS[word]} ${kind.kind.toLowerCase()}/${name} ${where} --field ${fields.join(' ')}`];
  });
}

function withChoice(chosen: Readonly<Record<string, Word>>, path: string, word: Word | null) {
  const { [path]: _, ...rest } = chosen;
  return word === null ? rest : { ...rest, [path]: word };
}

/** What a value of a message is in JSON. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return value;
  const { kind } = value as { readonly kind: { readonly case?: string; readonly value?: unknown } };
  if (kind.case === 'nullValue') return null;
  return kind.value;
}

function shown(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value, (_, inner: unknown) => plain(inner));
}
