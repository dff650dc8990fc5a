/** All functions that rules of Kubernetes 1.35 may use. */
import { type Library, libraryOf } from '../function.ts';
import { COMPARISONS } from './compare.ts';
import { FORMAT } from './formats.ts';
import { LISTS } from './lists.ts';
import { NETWORK } from './network.ts';
import { OPTIONALS } from './optionals.ts';
import { QUANTITIES } from './quantities.ts';
import { STANDARD } from './standard.ts';
import { STRINGS } from './strings.ts';
import { TIME } from './time.ts';

let made: Library | undefined;

export function kubernetesLibrary(): Library {
  made ??= libraryOf([
    ...STANDARD,
    ...COMPARISONS,
    ...TIME,
    ...STRINGS,
    ...LISTS,
    ...OPTIONALS,
    ...QUANTITIES,
    ...NETWORK,
    ...FORMAT,
  ]);
  return made;
}
