/** How others teach the engine a kind: by Lua scripts, or by a webhook. */
import type { KubeObject } from '#kube/meta/object.ts';

export interface ResourceInterpreterCustomization extends KubeObject {
  readonly kind: 'ResourceInterpreterCustomization';
  readonly spec: {
    readonly target: { readonly apiVersion: string; readonly kind: string };
    readonly customizations: Customizations;
  };
}

export interface LuaScript {
  readonly luaScript: string;
}

export interface Customizations {
  readonly retention?: LuaScript;
  readonly replicaResource?: LuaScript;
  readonly componentResource?: LuaScript;
  readonly replicaRevision?: LuaScript;
  readonly statusReflection?: LuaScript;
  readonly statusAggregation?: LuaScript;
  readonly healthInterpretation?: LuaScript;
  readonly dependencyInterpretation?: LuaScript;
}

export interface ResourceInterpreterWebhookConfiguration extends KubeObject {
  readonly kind: 'ResourceInterpreterWebhookConfiguration';
  readonly webhooks: readonly ResourceInterpreterWebhook[];
}

export interface ResourceInterpreterWebhook {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    /** Base64. */
    readonly caBundle?: string;
  };
  readonly rules?: readonly {
    readonly operations: readonly string[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly kinds: readonly string[];
  }[];
  readonly timeoutSeconds?: number;
  readonly interpreterContextVersions: readonly string[];
}
