import { emptyDatabase } from '../testing.ts';
import { indexStoreContract } from './index-store-contract.ts';

indexStoreContract('sqlite', emptyDatabase);
