/** Customisations of the interpreter, asked one question: the instance's own answer, as a message. */
import { toJson } from '@bufbuild/protobuf';
import {
  InterpreterService,
  InterpretRequestSchema,
  InterpretResponseSchema,
} from '#gen/proto/kairship/api/interpreter/v1alpha1/interpreter_service_pb.ts';
import { kindNames } from '#kube/crds/kind-names.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { asMessage } from '../as-message.ts';
import { clientIn, type ServiceDeps } from '../deps.ts';

const INTERPRETATION = kindNames('placement.kairship.io', 'v1alpha1', 'Interpretation', 'interpretations');

export function interpreterService(deps: ServiceDeps): ServedService {
  return service(InterpreterService, {
    async interpret(request, context) {
      const { instance } = request;
      const { status } = await clientIn(deps, context, { instance }).create(INTERPRETATION, {
        apiVersion: INTERPRETATION.apiVersion,
        kind: INTERPRETATION.kind,
        metadata: { name: 'interpretation' },
        spec: toJson(InterpretRequestSchema, request),
      });
      return asMessage(InterpretResponseSchema, status);
    },
  });
}
