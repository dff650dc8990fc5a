/** Permissions as a matrix: what there is down, what may be done with it across. */
import { Checkbox, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PermissionPoint } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { holds, matrixOf, withNeeded } from './role-matrix.ts';

interface MatrixProps {
  readonly points: readonly PermissionPoint[];
  readonly chosen: readonly string[];
  /** Absent where nothing can be changed. */
  readonly onChange: ((chosen: readonly string[]) => void) | undefined;
}

export function Matrix({ points, chosen, onChange }: MatrixProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const shown = points.filter(({ permission, description }) => `${permission} ${description}`.includes(words));
  const role = { permissions: chosen, includes: [] };
  const set = (point: PermissionPoint, on: boolean) =>
    onChange?.(
      on
        ? [...new Set([...chosen, ...withNeeded(point.permission, points)])]
        : chosen.filter((one) => one !== point.permission),
    );
  return (
    <div role="group" aria-label={t('access.points')}>
      <TextInput
        aria-label={t('access.filterPoints')}
        placeholder={t('access.filterPoints')}
        leftSection={<Search size={13} aria-hidden />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        mb={8}
        w={280}
      />
      {matrixOf(shown).map(({ product, types }) => (
        <section key={product} className="panel" style={{ marginBottom: 10 }} aria-label={product}>
          <Text size="sm" fw={600} px="sm" py={6}>
            {product}
          </Text>
          <table className="grid">
            <tbody>
              {types.map(({ resourceType, points: own }) => (
                <tr key={resourceType}>
                  <th scope="row" style={{ width: 210, fontWeight: 500, textAlign: 'left', verticalAlign: 'top' }}>
                    {resourceType}
                  </th>
                  <td>
                    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '4px 14px' }}>
                      {own.map((point) => (
                        <Checkbox
                          key={point.permission}
                          size="xs"
                          label={point.action}
                          aria-label={point.permission}
                          title={[point.description, point.tier].filter(Boolean).join(' · ')}
                          checked={holds(role, point)}
                          disabled={onChange === undefined}
                          onChange={(event) => set(point, event.currentTarget.checked)}
                        />
                      ))}
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  );
}
