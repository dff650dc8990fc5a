/** A place where rights hold, as forms and commands write it. Pure. */
export const KINDS = ['Platform', 'Folder', 'Workspace', 'Instance'] as const;
export type PlaceKind = (typeof KINDS)[number];

export interface Place {
  readonly kind: PlaceKind;
  /** Its name. */
  readonly id: string;
  /** Only of an instance; empty is all of it. */
  readonly namespace: string;
}

export const PLATFORM: Place = { kind: 'Platform', id: '', namespace: '' };

/** Whether it says enough to be asked about. */
export function isWhole({ kind, id }: Place): boolean {
  return kind === 'Platform' || id !== '';
}

/** As the command line takes it: `platform`, `workspace/payments`, `namespace/demo/shop`. */
export function placeWord({ kind, id, namespace }: Place): string {
  if (kind === 'Platform') return 'platform';
  if (kind === 'Instance' && namespace) return `namespace/${id}/${namespace}`;
  return `${kind.toLowerCase()}/${id || 'NAME'}`;
}

/** From such a word, as an address has it; what cannot be read is the platform. */
export function placeFrom(word: string): Place {
  const [kind = '', id = '', namespace = ''] = word.split('/');
  if (kind === 'namespace') return { kind: 'Instance', id, namespace };
  const found = KINDS.find((one) => one.toLowerCase() === kind);
  return found && found !== 'Platform' ? { kind: found, id, namespace: '' } : PLATFORM;
}

/** An instance, or a namespace of one, in such a word. */
export function refOf(instance: string, namespace = ''): string {
  return placeWord({ kind: 'Instance', id: instance, namespace });
}
