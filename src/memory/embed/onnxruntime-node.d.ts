/** The package has no types of its own; declares only what we use. */
declare module "onnxruntime-node" {
  export class Tensor {
    constructor(type: "int64", data: BigInt64Array, dims: readonly number[]);
    readonly data: Float32Array;
    readonly dims: readonly number[];
  }

  export interface InferenceSession {
    readonly inputNames: readonly string[];
    readonly outputNames: readonly string[];
    run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  }

  export const InferenceSession: {
    create(
      path: string,
      options: {
        readonly intraOpNumThreads: number;
        readonly interOpNumThreads: number;
        readonly logSeverityLevel: number;
      },
    ): Promise<InferenceSession>;
  };
}
