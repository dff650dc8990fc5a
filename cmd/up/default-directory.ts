/** Where `up` keeps a platform, and every command looks for one, when nothing else is said. */
export const DEFAULT_DIRECTORY = '.kairship';
