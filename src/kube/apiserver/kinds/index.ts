export { type BuiltinOptions, builtinResources } from './builtin-resources.ts';
export { ageColumn, jsonPathColumn, nameColumn, plainColumns, type PrinterColumn } from './columns.ts';
export { type AddressSpace, type ServiceAddresses, serviceAddresses } from './core/service-addresses.ts';
