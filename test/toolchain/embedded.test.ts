import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { toolchainContract } from './contract.js';

toolchainContract('embedded', async (t) => {
  const toolchain = await EmbeddedToolchain.open();
  t.after(() => toolchain.close());
  return toolchain;
});
