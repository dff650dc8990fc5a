/** The kind behind an address, whether the console knows it by name or the instance by a definition. */
import { useQuery } from '@connectrpc/connect-query';
import { ApiextensionsService } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import {
  type CustomResourceDefinition,
  CustomResourceDefinitionSpec_ResourceScope as Scope,
} from '#gen/proto/kairship/api/apiextensions/v1alpha1/custom_resource_definition_pb.ts';
import { type Kind, kindOf } from './kinds.ts';

const MOST = 500;

/** Every kind that is defined in the instance, by one answer. */
export function useDefinitions(instance: string) {
  return useQuery(ApiextensionsService.method.listCustomResourceDefinitions, { instance, pageSize: MOST });
}

export function kindDefinedBy({ spec }: CustomResourceDefinition): Kind | undefined {
  if (!spec?.names) return undefined;
  const { group, names, versions, scope } = spec;
  const version = (versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served))
    ?.name;
  if (version === undefined) return undefined;
  return {
    kind: names.kind,
    apiVersion: `${group}/${version}`,
    group,
    version,
    resource: names.plural,
    namespaced: scope !== Scope.CLUSTER,
  };
}

/** Undefined while it is being looked up. What nobody defined is taken at its word. */
export function useKind(instance: string, word: string): Kind | undefined {
  const guess = kindOf(word);
  const isGuess = guess !== undefined && guess.kind === guess.resource;
  const name = isGuess ? `${guess.resource}.${guess.group}` : '';
  const { data, error } = useQuery(
    ApiextensionsService.method.getCustomResourceDefinition,
    { instance, name },
    { enabled: isGuess, staleTime: 60_000 },
  );
  if (!isGuess) return guess;
  if (data) {
    const defined = kindDefinedBy(data);
    return defined && { ...defined, version: guess.version, apiVersion: guess.apiVersion };
  }
  return error ? guess : undefined;
}
