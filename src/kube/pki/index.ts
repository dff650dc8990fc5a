export { type Ca, type CertificateRequest, caOf, createCa, expiryOf, type KeyPair } from './ca.ts';
export { loadKeyPair, saveKeyPair } from './key-pair-files.ts';
export { readIfPresent, writePrivate } from './private-file.ts';
export { readSigningRequest, type SigningRequest, type SigningUsage, signRequest } from './signing-request.ts';
export { type Serving, type ServingOptions, serving } from './serving.ts';
