/** Where a browser finds the console of a platform. On this machine it is there without TLS, too: no browser warns of it. */
export function consoleAddress(server: string): string {
  const { hostname, host } = new URL(server);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return isLoopback ? `http://${host}` : server;
}
