export { type Claim, claimOf, type PolicyKind, policyId } from './claim.ts';
export { type DetectorDeps, detectorControllers } from './detector-controller.ts';
export { DEFAULT_SKIPPED_NAMESPACES, isPropagatable, isTemplateNamespace } from './event-filter.ts';
export { type Candidate, matchPolicy, type PolicyChoice } from './match-policy.ts';
export { keyOfReference, type Templates, type TemplatesDeps, templates } from './templates.ts';
