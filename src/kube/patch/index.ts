/**
 * The four ways to change an object in part, and the account of who manages which of its fields.
 *
 * {@link applyJsonPatch}, {@link applyMergePatch} and {@link strategicMergePatch} make the next object from the live
 * one; {@link manageUpdate} then says who owns its fields. {@link serverSideApply} does both at once, and
 * {@link keepTimes} recognises a write that in the end changed nothing. All are pure: they change no argument, and what
 * they return shares with their arguments what stayed the same.
 */
export { applyJsonPatch } from './json-patch.ts';
export { manageScale, managersAfterScale, type Rescale, scaleManagers } from './manage-scale.ts';
export { type AnyObject, keepTimes, manageUpdate, type Update, withManagedFields } from './manage-update.ts';
export { applyMergePatch, createMergePatch } from './merge-patch.ts';
export { type Applied, type Apply, serverSideApply } from './server-side-apply.ts';
export { strategicMergePatch } from './strategic-merge-patch.ts';
