/** The API group in which an instance answers questions about placement. */
export const PLACEMENT_GROUP = 'placement.kairship.io';
export const PLACEMENT_VERSION = 'v1alpha1';
export const PLACEMENT = { group: PLACEMENT_GROUP, version: PLACEMENT_VERSION } as const;
export const PLACEMENT_API_VERSION = `${PLACEMENT_GROUP}/${PLACEMENT_VERSION}`;
