/** Facets to narrow a search by, and searches kept in this browser. */
import { ActionIcon, Button, Chip, Group, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Bookmark, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FACETS, facetOf, type FoundLike, hasFacet, toggled } from './search-facets.ts';

interface QueryProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

export function Facets({ found, query, onQuery }: QueryProps & { readonly found: readonly FoundLike[] }) {
  const { t } = useTranslation();
  return (
    <div style={{ display: 'grid', gap: 6, marginBottom: 10 }}>
      {FACETS.map((facet) => {
        const values = facetOf(facet, found);
        if (values.length === 0) return null;
        return (
          <Group key={facet} gap={6} role="group" aria-label={t(`field.${facet}`)}>
            <Text size="xs" c="dimmed" w={84}>
              {t(`field.${facet}`)}
            </Text>
            {values.map(({ value, count }) => (
              <Chip
                key={value}
                size="xs"
                variant="outline"
                checked={hasFacet(query, facet, value)}
                onChange={() => onQuery(toggled(query, facet, value))}
              >
                {value === '-' ? t('search.instanceItself') : value} · {count}
              </Chip>
            ))}
          </Group>
        );
      })}
    </div>
  );
}

const MOST = 12;

export function SavedSearches({ query, onQuery }: QueryProps) {
  const { t } = useTranslation();
  const [saved, setSaved] = useLocalStorage<string[]>({ key: 'kairship.searches', defaultValue: [] });
  const isNew = query.trim() !== '' && !saved.includes(query.trim());
  if (saved.length === 0 && !isNew) return null;
  return (
    <Group gap={6} mb={10} role="group" aria-label={t('search.saved')}>
      <Text size="xs" c="dimmed" w={84}>
        {t('search.saved')}
      </Text>
      {saved.map((one) => (
        <Group key={one} gap={0}>
          <Button size="compact-xs" variant="default" onClick={() => onQuery(one)}>
            {one}
          </Button>
          <ActionIcon
            size="sm"
            aria-label={t('search.forget', { query: one })}
            onClick={() => setSaved(saved.filter((other) => other !== one))}
          >
            <X size={12} />
          </ActionIcon>
        </Group>
      ))}
      {isNew && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Bookmark size={12} aria-hidden />}
          onClick={() => setSaved([query.trim(), ...saved].slice(0, MOST))}
        >
          {t('search.save')}
        </Button>
      )}
    </Group>
  );
}
