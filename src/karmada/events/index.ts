export {
  type EventRecorder,
  type EventRecorders,
  type EventRecordersDeps,
  eventRecorders,
  type Subject,
} from './event-recorders.ts';
