export {
  type EventRecorder,
  type EventRecorderDeps,
  type EventRecorders,
  eventRecorders,
  type Subject,
} from './event-recorder.ts';
