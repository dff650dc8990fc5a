/** What must hold before something is done for good, or what has come of it so far. */
import { List } from '@mantine/core';
import { Check, CircleDashed, X } from 'lucide-react';
import type { ReactNode } from 'react';

interface PrechecksProps {
  readonly of: readonly (readonly [ok: boolean, text: ReactNode])[];
  /** What does not hold may still come: it is waited for. */
  readonly awaited?: boolean;
}

export function Prechecks({ of, awaited = false }: PrechecksProps) {
  return (
    <List size="sm" spacing={4}>
      {of.map(([ok, text], index) => {
        const colour = ok ? 'var(--k-healthy)' : awaited ? 'var(--k-unknown)' : 'var(--k-blocked)';
        const Icon = ok ? Check : awaited ? CircleDashed : X;
        return (
          <List.Item key={index} icon={<Icon size={14} color={colour} aria-hidden />} data-ok={ok}>
            {text}
          </List.Item>
        );
      })}
    </List>
  );
}
