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

function withoutNoise(object: unknown): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object;
  const { managedFields: _, ...metadata } = object.metadata as Record<string, unknown>;
  return { ...object, metadata };
}
