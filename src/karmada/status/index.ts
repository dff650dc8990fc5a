export { aggregateWorks, fullyApplied } from './aggregate-status.ts';
export { type BindingStatusDeps, bindingStatusController } from './binding-status-controller.ts';
export { manifestStatus } from './reflect-status.ts';
