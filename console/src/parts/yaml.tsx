/** YAML, to read, to write, or to compare: the editor comes when it is needed. */
import { lazy, Suspense } from 'react';
import { stringify } from 'yaml';
import type { YamlEditorProps } from './yaml-editor.tsx';
import { Waiting } from './problems.tsx';

const Editor = lazy(async () => ({ default: (await import('./yaml-editor.tsx')).YamlEditor }));

export function Yaml(props: YamlEditorProps) {
  return (
    <Suspense fallback={<Waiting rows={8} />}>
      <Editor {...props} />
    </Suspense>
  );
}

/** An object as people read it: without what machines keep in it for themselves. Sorted, to be compared with another. */
export function yamlOf(object: unknown, { sorted = false } = {}): string {
  return stringify(withoutNoise(object), {
    lineWidth: 0,
    keepUndefined: false,
    sortMapEntries: sorted,
    aliasDuplicateObjects: false,
  });
}

/** What the index writes into its copies, to remember where they come from. */
const OF_THE_INDEX = 'shadow.clusterpedia.io/cluster-name';

function withoutNoise(object: unknown): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object;
  const { managedFields: _, annotations, ...metadata } = object.metadata as Record<string, unknown>;
  const kept = Object.entries((annotations ?? {}) as Record<string, string>).filter(([key]) => key !== OF_THE_INDEX);
  return {
    ...object,
    metadata: { ...metadata, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) },
  };
}
