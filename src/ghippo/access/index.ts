export { type Caller, SYSTEM } from './caller.ts';
export { type Action, forbidden, type Guard, guard } from './guard.ts';
