export { type ExecutionDeps, executionController } from './execution-controller.ts';
export { memberPipeline, type PipelineDeps } from './member-pipeline.ts';
