/** Requests for certificates: who may approve them, who signs them, when they go. */
export { cleaningController } from './cleaning-controller.ts';
export { conditionTimes } from './condition-times.ts';
export { signerPermission } from './signer-permission.ts';
export { signingController } from './signing-controller.ts';
