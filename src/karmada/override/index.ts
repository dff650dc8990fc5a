export { type AppliedRule, applyOverrides, type Overridden, type OverrideInput } from './apply-overrides.ts';
export { type Image, imageText, parseImage } from './image.ts';
