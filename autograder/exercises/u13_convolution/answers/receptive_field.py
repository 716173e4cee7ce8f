"""Answers to convolution.receptive_field."""

from autograder.exercises.catalogue import right, wrong


@right("in_one_line")
def receptive_field(kernel, stride, dilation, field, jump):
    return field + (kernel - 1) * dilation * jump, stride * jump


@right("the_span_of_the_weights_first")
def receptive_field(kernel, stride, dilation, field, jump):
    span = dilation * (kernel - 1) + 1
    return field - jump + span * jump, jump * stride


@right("first_and_last_element_seen")
def receptive_field(kernel, stride, dilation, field, jump):
    first = 0
    last = first + dilation * (kernel - 1) * jump + field - 1
    return last - first + 1, jump * stride


@right("a_loop_over_the_weights")
def receptive_field(kernel, stride, dilation, field, jump):
    for _ in range(kernel - 1):
        field += dilation * jump
    return field, jump * stride


@right("elements_in_a_set")
def receptive_field(kernel, stride, dilation, field, jump):
    seen = set()
    for weight in range(kernel):
        first = weight * dilation * jump
        seen.update((first, first + field - 1))
    return max(seen) - min(seen) + 1, jump * stride


@right("written_over_the_arguments")
def receptive_field(kernel, stride, dilation, field, jump):
    step = jump * dilation
    jump *= stride
    field += step * kernel
    field -= step
    return field, jump


@wrong("own_kernel_alone", misconception="jump_forgotten", says="the layer adds its own kernel alone")
def receptive_field(kernel, stride, dilation, field, jump):
    return field + (kernel - 1) * dilation, jump * stride


@wrong("own_stride_counts", misconception="stride_too_early", says="lengthens its own steps")
def receptive_field(kernel, stride, dilation, field, jump):
    jump *= stride
    return field + (kernel - 1) * dilation * jump, jump


@wrong("adds_the_whole_kernel", misconception="whole_kernel_added", says="kernel - 1 are new")
def receptive_field(kernel, stride, dilation, field, jump):
    return field + kernel * dilation * jump, jump * stride


@wrong("no_dilation", misconception="dilation_forgotten", says="dilation is left out")
def receptive_field(kernel, stride, dilation, field, jump):
    return field + (kernel - 1) * jump, jump * stride


@wrong("adds_the_stride", misconception="strides_added", says="the stride is added to the jump")
def receptive_field(kernel, stride, dilation, field, jump):
    return field + (kernel - 1) * dilation * jump, jump + stride


@wrong("multiplies_by_the_kernel", misconception="kernels_multiplied", says="the field is multiplied by the kernel")
def receptive_field(kernel, stride, dilation, field, jump):
    return field * ((kernel - 1) * dilation + 1), jump * stride


@wrong("keeps_the_jump", misconception="stride_forgotten", says="the jump is still the old one")
def receptive_field(kernel, stride, dilation, field, jump):
    return field + (kernel - 1) * dilation * jump, jump
