import { after, it } from 'node:test';
import { scratch } from './sqlite-scratch.ts';
import { storeContract } from './store-contract.ts';
import { checkAgainstModel } from './store-model.ts';

const files = scratch();
after(() => files.remove());
const open = () => files.open();

storeContract('sqliteStore', open);

it('sqliteStore does what a plain array of changes does', () => checkAgainstModel(open, 8));
