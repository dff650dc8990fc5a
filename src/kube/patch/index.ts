export { applyJsonPatch } from './json-patch.ts';
export { applyMergePatch, createMergePatch } from './merge-patch.ts';
export { strategicMergePatch } from './strategic-merge-patch.ts';
