/** By the path of a file; two spellings that differ in case are one, as on most machines. */
export class ByPath<Value> extends Map<string, Value> {
  override get(path: string): Value | undefined {
    return super.get(path.toLowerCase());
  }

  override has(path: string): boolean {
    return super.has(path.toLowerCase());
  }

  override set(path: string, value: Value): this {
    return super.set(path.toLowerCase(), value);
  }

  override delete(path: string): boolean {
    return super.delete(path.toLowerCase());
  }
}
