export { type Run, RUNS_KEPT, type Span, type Trace, withHop } from './trace.ts';
export { type Kept, type TraceChange, type TraceStore, type TraceStoreOptions, traceStore } from './trace-store.ts';
export { type RunState, type RunView, runView, type StepView, traceView } from './trace-view.ts';
export { type Hop, type Step, type Traced, tracedOf, type Tracer, untraced } from './tracer.ts';
