/** Versions of kinds, and how one becomes another. Start at {@link servedAs}. */
export { convert, notServedText, servedAs, type VersionedKind } from './convert.ts';
