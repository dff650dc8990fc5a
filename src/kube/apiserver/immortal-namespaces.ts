/** Some namespaces cannot be deleted: the cluster would not work without them. */
import type { AdmissionPlugin } from './admission.ts';
import { forbidden } from './failures.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);

export const immortalNamespaces: AdmissionPlugin = {
  name: 'immortal-namespaces',
  handles: ({ operation, gvr }) => operation === 'DELETE' && gvr.group === '' && gvr.resource === 'namespaces',
  validate({ gvr, name }) {
    if (IMMORTAL.has(name)) throw forbidden(gvr, name, 'this namespace may not be deleted');
  },
};
