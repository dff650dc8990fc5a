export { applyJsonPatch } from './json-patch.ts';
export { manageScale, type Rescale } from './manage-scale.ts';
export { type AnyObject, keepTimes, manageUpdate, type Update, withManagedFields } from './manage-update.ts';
export { applyMergePatch, createMergePatch } from './merge-patch.ts';
export { type Applied, type Apply, serverSideApply } from './server-side-apply.ts';
export { strategicMergePatch } from './strategic-merge-patch.ts';
