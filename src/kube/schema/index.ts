/**
 * Types of values, and everything that is done along them.
 *
 * Start at {@link builtinSchema} (built-in kinds) and {@link schemaOfCrd} (custom resources). A request body goes
 * through {@link parseJson} or {@link decodeProtobuf}, {@link decodeError}, {@link strictErrors} and {@link dropUnknownFields}; a custom resource
 * then through {@link applySchemaDefaults} and {@link validateSchema}.
 */
export { type BuiltinKind, builtinKinds, builtinSchema, objectMetaSchema } from './builtin.ts';
export { ruleProblems, validateRules } from './cel/rules.ts';
export { type CrdSchema, type CrdSchemaOptions, schemaOfCrd } from './crd-schema.ts';
export { decodeError, jsonKind } from './decode-error.ts';
export { goRegExp, goRegExpProblem } from './go-regexp.ts';
export { MAX_DEPTH } from './json-scanner.ts';
export { encodeOpenApiV2, type OpenApiV2Document, renderOpenApiV2 } from './openapi-v2.ts';
export { type OpenApiDocument, type OpenApiResource, renderOpenApiV3 } from './openapi-v3.ts';
export { orderFields } from './order-fields.ts';
export { type ParsedJson, parseJson } from './parse-json.ts';
export { type DecodedObject, decodeProtobuf, isProtobuf } from './protobuf.ts';
export type { Schema, ValidationRule } from './schema.ts';
export { applySchemaDefaults } from './schema-defaults.ts';
export { strictErrors } from './strict-errors.ts';
export { dropUnknownFields, unknownFields } from './unknown-fields.ts';
export { validateSchema } from './validate-schema.ts';
