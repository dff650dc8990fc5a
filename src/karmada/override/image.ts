/**
 * Image references taken apart and put together, as karmada v1.18 pkg/util/imageparser.
 *
 * Quirk of Karmada: of `name:tag@digest` only the tag is kept, so any override of such an image loses the digest.
 */
import type { ImageOverrider } from '#karmada/apis/index.ts';
import { PatchProblem } from './strict-patch.ts';

export interface Image {
  /** A host name, possibly with a port; empty for the default registry. */
  readonly registry: string;
  readonly repository: string;
  /** At most one of tag and digest is set. */
  readonly tag: string;
  readonly digest: string;
}

const HOST_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const NAME = `(?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*`;
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

const REFERENCE = new RegExp(`^(${NAME})(?::(${TAG}))?(?:@(${DIGEST}))?$`);
const WHOLE_TAG = new RegExp(`^${TAG}$`);
const WHOLE_DIGEST = new RegExp(`^${DIGEST}$`);

export function parseImage(text: string): Image {
  const match = REFERENCE.exec(text);
  if (!match) throw new PatchProblem(`image ${JSON.stringify(text)} cannot be read: invalid reference format`);
  const [, name = '', tag = '', digest = ''] = match;
  return { ...splitRegistry(name), tag, digest: tag === '' ? digest : '' };
}

/** The first part is a registry when it looks like a host: with a dot or a port, or localhost. */
function splitRegistry(name: string): Pick<Image, 'registry' | 'repository'> {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(0, slash));
  if (slash < 0 || (!/[.:]/.test(first) && first !== 'localhost')) return { registry: '', repository: name };
  return { registry: first, repository: name.slice(slash + 1) };
}

export function imageText({ registry, repository, tag, digest }: Image): string {
  const name = registry === '' ? repository : `${registry}/${repository}`;
  if (tag !== '') return `${name}:${tag}`;
  return digest === '' ? name : `${name}@${digest}`;
}

/** `add` appends to the component as text. */
export function overrideImage(text: string, { component, operator, value = '' }: ImageOverrider): string {
  const image = parseImage(text);
  const changed = (old: string) => (operator === 'add' ? old + value : operator === 'replace' ? value : '');
  switch (component) {
    case 'Registry':
      return imageText({ ...image, registry: changed(image.registry) });
    case 'Repository':
      return imageText({ ...image, repository: changed(image.repository) });
    case 'Tag':
      if (operator === 'remove') return imageText({ ...image, tag: '', digest: '' });
      return imageText(withTagOrDigest(image, changed(image.tag || image.digest)));
  }
}

/** What is neither a tag nor a digest changes nothing. */
function withTagOrDigest(image: Image, text: string): Image {
  if (WHOLE_TAG.test(text)) return { ...image, tag: text, digest: '' };
  if (WHOLE_DIGEST.test(text)) return { ...image, tag: '', digest: text };
  return image;
}
