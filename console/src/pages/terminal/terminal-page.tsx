/** A command terminal on an instance, or a terminal in one of its pods: with the caller's rights, and on record. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, Select, TextInput } from '@mantine/core';
import { useQuery as useAny } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CloudShellService } from '#gen/proto/kairship/api/cloudshell/v1alpha1/cloudshell_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer, Empty, Waiting } from '../../parts/problems.tsx';
import { execPath } from './channels.ts';
import { TerminalBox } from './terminal-box.tsx';

const shells = createClient(CloudShellService, transport);
const HEIGHT = 'calc(100vh - 190px)';

export function TerminalPage() {
  const { instance } = useParams({ from: '/i/$instance' });
  const { pod } = useSearch({ from: '/i/$instance/terminal' });
  return pod === '' ? <Shell instance={instance} /> : <PodTerminal instance={instance} />;
}

/** A shell of its own for each visit; the server forgets it when it is left. */
function Shell({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const may = useMay('kairship/instance/shell', { instance });
  const [round, setRound] = useState(0);
  const asked = useAny({
    queryKey: ['shell', instance, round],
    enabled: may.allowed,
    meta: { still: true },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => shells.createCloudShell({ instance, data: { spec: { ttl: 1_800, once: true, cleanup: true } } }),
  });
  return (
    <Page title={t('menu.terminal')} sub={t('terminal.sub')} actions={<Command lines={[`kairship use ${instance}`]} />}>
      {may.missing !== '' ? (
        <div className="panel">
          <Empty title={t('problem.forbidden')}>{t('action.needs', { right: may.missing })}</Empty>
        </div>
      ) : (
        <Answer of={asked}>
          {({ status, metadata }) => (
            <div style={{ height: HEIGHT }}>
              {status?.terminalUrl ? (
                <TerminalBox
                  key={metadata?.name}
                  path={status.terminalUrl}
                  label={t('terminal.of', { name: instance })}
                  onAgain={() => setRound(round + 1)}
                />
              ) : (
                <Empty title={t('problem.notServed')} />
              )}
            </div>
          )}
        </Answer>
      )}
    </Page>
  );
}

/** Shells that images have, the likeliest first. */
const SHELLS = ['sh', 'bash', 'ash', 'zsh'];

function PodTerminal({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const search = useSearch({ from: '/i/$instance/terminal' });
  const navigate = useNavigate({ from: '/i/$instance/terminal' });
  const { cluster, ns, pod, container, command } = search;
  const containers = useContainers({ instance, cluster, namespace: ns, pod });
  const [typed, setTyped] = useState(command);
  const path = execPath({ instance, cluster, namespace: ns, pod, container }, command.split(/\s+/).filter(Boolean));
  return (
    <Page
      title={pod}
      sub={`${cluster} / ${ns}`}
      actions={
        <Command
          lines={[
            `kairship exec -it ${cluster}/pod/${pod} -n ${ns} -- ${command}`,
            `kubectl --context ${instance}/${cluster} -n ${ns} exec -it ${pod} -- ${command}`,
          ]}
        />
      }
    >
      <Group gap={8} mb={10} align="flex-end">
        <Select
          label={t('create.container')}
          data={containers}
          value={container || containers[0] || null}
          allowDeselect={false}
          onChange={(next) => void navigate({ search: (now) => ({ ...now, container: next ?? '' }), replace: true })}
        />
        <TextInput
          label={t('terminal.command')}
          list="shells"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => void navigate({ search: (now) => ({ ...now, command: typed || 'sh' }), replace: true })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
        <datalist id="shells">
          {SHELLS.map((shell) => (
            <option key={shell} value={shell} />
          ))}
        </datalist>
      </Group>
      <div style={{ height: 'calc(100vh - 250px)' }}>
        {cluster === '' ? <Waiting /> : <TerminalBox key={path} path={path} label={t('terminal.of', { name: pod })} />}
      </div>
    </Page>
  );
}

interface PodIn {
  readonly instance: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
}

/** Names of the containers, from the search that knows all members. */
function useContainers({ instance, cluster, namespace, pod }: PodIn): string[] {
  const { data } = useQuery(SearchService.method.search, {
    instance,
    query: `kind:pod name:${pod} namespace:${namespace} cluster:${cluster}`,
    includeObjects: true,
    pageSize: 5,
  });
  const object = data?.items.find(({ resource }) => resource?.name === pod)?.object as
    | { readonly spec?: { readonly containers?: readonly { readonly name: string }[] } }
    | undefined;
  return object?.spec?.containers?.map(({ name }) => name) ?? [];
}
