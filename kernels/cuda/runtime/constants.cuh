/* kernels/cuda/runtime/constants.cuh - turns a number of the host into a template argument. */
#pragma once

#include <cuda_runtime_api.h>
#include <type_traits>

namespace krn_constants
{

/* Calls launch(V), where V.value is `value` as a compile-time constant, one of VALUES. Returns
 * cudaPeekAtLastError(), and cudaErrorInvalidValue for other values. */
template <int... VALUES, class Launch>
cudaError_t with(int value, const Launch &launch)
{
    const bool known =
        ((value == VALUES && (launch(std::integral_constant<int, VALUES>()), true)) || ...);
    return known ? cudaPeekAtLastError() : cudaErrorInvalidValue;
}

} // namespace krn_constants
