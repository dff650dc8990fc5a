/** Providers around the router. */
import { TransportProvider } from '@connectrpc/connect-query';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from '../api/queries.ts';
import { transport } from '../api/transport.ts';
import { theme } from '../theme/theme.ts';
import { router } from './routes.tsx';

const scheme = localStorageColorSchemeManager({ key: 'kairship.theme' });

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={scheme}>
      <TransportProvider transport={transport}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </TransportProvider>
    </MantineProvider>
  );
}
