/** The palette: go anywhere, find anything. The same index as the search page, asked while typing. */
import { useQuery } from '@connectrpc/connect-query';
import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CornerDownLeft, Search } from 'lucide-react';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { addressOf } from './address.ts';
import { ranked } from './ranked.ts';

/** While typing: what is found is wanted more than what there is. */
const MOST_PAGES = 6;
const MOST_FOUND = 8;
/** Of so many the likeliest are offered: every copy in every cluster bears the same name. */
const LOOKED_THROUGH = 60;

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly href: string;
}

export function Palette({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const choices = useChoices(text, opened);
  useEffect(() => setAt(0), [text]);
  useEffect(() => document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);

  function go(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    setText('');
    void navigate({ href: choice.href });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, choices.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter') go(choices[at]);
    else return;
    event.preventDefault();
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': t('shell.find') } }}
      transitionProps={{ duration: 80 }}
    >
      <TextInput
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        placeholder={t('palette.placeholder')}
        aria-label={t('shell.find')}
        role="combobox"
        aria-expanded
        aria-controls="palette-choices"
        aria-activedescendant={choices[at] ? `palette-${at}` : undefined}
        leftSection={<Search size={15} aria-hidden />}
        variant="unstyled"
        size="md"
        px="sm"
        py={4}
        data-autofocus
      />
      <div
        id="palette-choices"
        role="listbox"
        aria-label={t('palette.choices')}
        style={{ borderTop: '1px solid var(--k-line)', maxHeight: 380, overflow: 'auto', padding: 6 }}
      >
        {choices.map((choice, index) => (
          <UnstyledButton
            key={choice.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            className="nav"
            tabIndex={-1}
            style={{ width: '100%', background: index === at ? 'var(--k-accent-ground)' : undefined }}
            onMouseMove={() => setAt(index)}
            onClick={() => go(choice)}
          >
            <span className="clip" style={{ flex: 1 }}>
              {choice.label}
            </span>
            <span className="soft clip" style={{ fontSize: 12, maxWidth: 260 }}>
              {choice.hint}
            </span>
            {index === at && <CornerDownLeft size={13} aria-hidden />}
          </UnstyledButton>
        ))}
        {choices.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {t('palette.nothing')}
          </Text>
        )}
      </div>
    </Modal>
  );
}

function useChoices(text: string, opened: boolean): readonly Choice[] {
  const [query] = useDebouncedValue(text.trim(), 150);
  const pages = usePages();
  const { data } = useQuery(
    SearchService.method.search,
    { query, pageSize: LOOKED_THROUGH },
    { enabled: opened && query.length > 1, placeholderData: keepPreviousData, meta: { still: true } },
  );
  const words = text.trim().toLowerCase();
  const found = query.length > 1 ? ranked(data?.items ?? [], words).slice(0, MOST_FOUND) : [];
  return [
    ...pages
      .filter(({ label, hint }) => `${label} ${hint}`.toLowerCase().includes(words))
      .slice(0, words ? MOST_PAGES : undefined),
    ...found.map((item, index) => ({
      id: `${item.uid}${index}`,
      label: item.resource?.name ?? '',
      hint: [item.resource?.kind, item.resource?.namespace, item.instance, item.cluster].filter(Boolean).join(' · '),
      href: addressOf(item),
    })),
  ];
}

const PLACES = [
  ['home', '/'],
  ['instances', '/instances'],
  ['inventory', '/clusters'],
  ['search', '/search'],
  ['activity', '/activity'],
  ['access', '/access'],
  ['settings', '/settings'],
] as const;
const ACCESS = ['users', 'groups', 'workspaces', 'roles', 'bindings', 'whoCan'] as const;
const INSTANCE_PLACES = [
  ['overview', ''],
  ['workloads', '/workloads'],
  ['policies', '/policies'],
  ['clusters', '/clusters'],
  ['resources', '/resources'],
  ['pods', '/pods'],
  ['events', '/events'],
  ['scaling', '/scaling'],
  ['resilience', '/resilience'],
  ['engine', '/engine'],
  ['terminal', '/terminal'],
  ['settings', '/settings'],
] as const;
const ENGINE = ['bindings', 'works', 'components', 'interpreter'] as const;

/** Every page there is: those of the instance one is in first, then the platform's, then those of other instances. */
function usePages(): readonly Choice[] {
  const { t } = useTranslation();
  const { instance } = useParams({ strict: false });
  const { data } = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const names = data?.items.map(({ metadata }) => metadata?.name ?? '') ?? [];
  const [first, ...others] = instance === undefined ? names : [instance, ...names.filter((name) => name !== instance)];
  const global = [
    ...PLACES.map(([place, href]) => ({ id: place, label: t(`menu.${place}`), hint: '', href })),
    ...ACCESS.map((tab) => ({
      id: `access/${tab}`,
      label: t(`access.tab.${tab}`),
      hint: t('menu.access'),
      href: `/access?tab=${tab}`,
    })),
  ];
  return [
    ...(first === undefined ? [] : [...pagesOf(t, first), ...wizardsOf(t, first), ...enginePages(t, first)]),
    ...global,
    ...others.flatMap((name) => pagesOf(t, name)),
  ];
}

function pagesOf(t: TFunction, instance: string): readonly Choice[] {
  return INSTANCE_PLACES.map(([place, path]) => ({
    id: `${instance}/${place}`,
    label: t(`menu.${place}`),
    hint: instance,
    href: `/i/${instance}${path}`,
  }));
}

function wizardsOf(t: TFunction, instance: string): readonly Choice[] {
  const wizards = [
    ['workload.create', '/workloads/new'],
    ['workload.fromYaml', '/workloads/yaml'],
    ['promote.open', '/workloads/promote'],
    ['policy.create', '/policies/new'],
  ] as const;
  return wizards.map(([word, path]) => ({
    id: `${instance}${path}`,
    label: t(word),
    hint: instance,
    href: `/i/${instance}${path}`,
  }));
}

function enginePages(t: TFunction, instance: string): readonly Choice[] {
  return ENGINE.map((tab) => ({
    id: `${instance}/engine/${tab}`,
    label: t(`engine.tab.${tab}`),
    hint: `${instance} · ${t('menu.engine')}`,
    href: `/i/${instance}/engine?tab=${tab}`,
  }));
}
