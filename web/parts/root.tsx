import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The folder of the workspace, so that paths below it are shown from there. */
export const Root = createContext('');

export function usePlace(path: string): string {
  const root = useContext(Root);
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
