/** Logs of all pods in all clusters in one stream, ordered by time, coloured by cluster. */
import { clustersOf, type ObjectRef, useBinding } from '../../api/objects.ts';
import { LogView } from '../../parts/log-view.tsx';
import { Answer } from '../../parts/problems.tsx';

export function LogsTab({ of }: { readonly of: ObjectRef }) {
  const { instance, namespace, name, kind } = of;
  const binding = useBinding(of);
  return (
    <Answer of={binding}>
      {(data) => (
        <LogView
          instance={instance}
          namespace={namespace}
          kind={kind.resource}
          name={name}
          clusters={clustersOf(data)}
          reference={`${kind.kind.toLowerCase()}/${name}`}
        />
      )}
    </Answer>
  );
}
