/** Addresses of a load balancer as tables show them: each once, in order. */
export function loadBalancerText(
  ingress: readonly { readonly ip?: string | undefined; readonly hostname?: string | undefined }[],
): string {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '').filter((address) => address !== '');
  return [...new Set(addresses)].sort().join(',');
}
