import { it } from 'node:test';
import { memoryStore } from './memory-store.ts';
import { type OpenStore, storeContract } from './store-contract.ts';
import { checkAgainstModel } from './store-model.ts';

const open: OpenStore = async () => {
  const store = memoryStore();
  return { store, cleanup: () => store.close() };
};

storeContract('memoryStore', open);

it('memoryStore does what a plain array of changes does', () => checkAgainstModel(open, 300));
