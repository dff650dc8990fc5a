/** YAML, to read, to write, or to compare: the editor comes when it is needed. */
import { lazy, Suspense } from 'react';
import { stringify } from 'yaml';
import { withoutNoise } from '../api/noise.ts';
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

interface Shown {
  /** To be compared with another. */
  readonly sorted?: boolean;
  /** Only what somebody could have written: also without its status and the marks of engine and cluster. */
  readonly plain?: boolean;
}

/** An object as people read it: without what machines keep in it for themselves. */
export function yamlOf(object: unknown, { sorted = false, plain = false }: Shown = {}): string {
  return stringify(withoutNoise(object, plain), {
    lineWidth: 0,
    keepUndefined: false,
    sortMapEntries: sorted,
    aliasDuplicateObjects: false,
  });
}
