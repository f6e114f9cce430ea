/** What the model's thread is asked: texts to embed. */
export interface ToModelThread {
  readonly id: number;
  readonly texts: readonly string[];
}

/** What it says: first whether it could load the model, then an answer a question. */
export type FromModelThread =
  | { readonly kind: 'loaded'; readonly dim: number; readonly version: number }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly packed: Float32Array };
