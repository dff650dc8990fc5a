/** The frame of every page: a heading, what can be done, and panels. */
import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';

export function Page({
  title,
  sub,
  actions,
  children,
}: {
  readonly title: string;
  readonly sub?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Kairship`;
  }, [title]);
  return (
    <div className="page">
      <div className="page-head">
        <div style={{ minWidth: 0 }}>
          <Title order={1}>{title}</Title>
          {sub !== undefined && (
            <div className="soft" style={{ fontSize: 13, marginTop: 2 }}>
              {sub}
            </div>
          )}
        </div>
        {actions !== undefined && <Group gap={8}>{actions}</Group>}
      </div>
      {children}
    </div>
  );
}

export function Panel({
  title,
  aside,
  children,
  flush = false,
}: {
  readonly title?: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Whether the content goes to the edges, as tables do. */
  readonly flush?: boolean;
}) {
  return (
    <section className="panel" aria-label={title}>
      {title !== undefined && (
        <div className="panel-head">
          <Title order={2}>{title}</Title>
          {aside}
        </div>
      )}
      {flush ? (
        // Wide tables scroll, by keyboard too.
        <div style={{ overflow: 'auto' }} tabIndex={0}>
          {children}
        </div>
      ) : (
        <div className="panel-body">{children}</div>
      )}
    </section>
  );
}

export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
