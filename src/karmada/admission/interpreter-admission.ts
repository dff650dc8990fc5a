/** Customisations of the interpreter in the write path: what could not work is refused before anything depends on it. */
import {
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION,
  type ResourceInterpreterCustomization,
  type ResourceInterpreterWebhookConfiguration,
} from '#karmada/apis/index.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { customizationProblem, webhookConfigurationErrors } from './interpreter-rules.ts';
import { denied, refuseIfAny } from './refusal.ts';

export interface InterpreterAdmissionDeps {
  /** All customisations there are: a new one must not contradict them. */
  readonly customizations: () => Promise<readonly ResourceInterpreterCustomization[]>;
}

export function interpreterAdmission({ customizations }: InterpreterAdmissionDeps): AdmissionPlugin {
  const { group, resource } = RESOURCE_INTERPRETER_CUSTOMIZATION;
  return {
    name: 'KarmadaInterpreter',
    handles: ({ operation, gvr, subresource }) =>
      gvr.group === group && operation !== 'DELETE' && subresource === undefined,
    async validate({ gvr, object }) {
      const written: KubeObject | undefined = object;
      if (gvr.resource === resource) {
        const customization = written as ResourceInterpreterCustomization;
        const problem = customizationProblem(customization, await customizations());
        if (problem !== undefined) throw denied('resourceinterpretercustomization.karmada.io', problem);
      } else if (gvr.resource === RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION.resource) {
        const configuration = written as ResourceInterpreterWebhookConfiguration;
        refuseIfAny('config.karmada.io', webhookConfigurationErrors(configuration));
      }
    },
  };
}
