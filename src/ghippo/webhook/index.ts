export * from './binding-event.ts';
export { type BindingMirror, bindingMirror, memoryMirror, type MirrorStore, type Truth } from './binding-mirror.ts';
export { type DeliveryStore, deliveryStore } from './delivery-store.ts';
export { httpPost, type Post } from './post.ts';
export { type Receiver, type ReceiverDeps, RESYNC_EVERY_MS, receiver } from './receiver.ts';
export { requireSigned, type SignatureHeaders, signedHeaders, TOLERANCE_MS } from './signature.ts';
export { readTruth } from './truth.ts';
export { webhookController } from './webhook-controller.ts';
