/** What must hold before something is done for good; the button stays shut until all of it does. */
import { List } from '@mantine/core';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';

export function Prechecks({ of }: { readonly of: readonly (readonly [ok: boolean, text: ReactNode])[] }) {
  return (
    <List size="sm" spacing={4}>
      {of.map(([ok, text], index) => {
        const colour = ok ? 'var(--k-healthy)' : 'var(--k-blocked)';
        const Icon = ok ? Check : X;
        return (
          <List.Item key={index} icon={<Icon size={14} color={colour} aria-hidden />} data-ok={ok}>
            {text}
          </List.Item>
        );
      })}
    </List>
  );
}
