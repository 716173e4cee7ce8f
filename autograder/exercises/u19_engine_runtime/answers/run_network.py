"""Answers to engine_runtime.run_network."""

import minitrt as trt
from autograder.exercises.catalogue import right, wrong


@right("one_object_each")
def run_network(host):
    class Engine:
        def __init__(self, plan):
            self.engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
            if self.engine is None:
                raise ValueError(f"the plan was refused: {host.said()}")
            self.context = self.engine.create_execution_context()
            names = [self.engine.get_tensor_name(i) for i in range(self.engine.num_io_tensors)]
            modes = {self.engine.get_tensor_mode(name): name for name in names}
            self.x, self.y = modes[trt.TensorIOMode.INPUT], modes[trt.TensorIOMode.OUTPUT]

        def __call__(self, x):
            if not self.context.set_input_shape(self.x, tuple(x.shape)):
                raise ValueError(f"{x.shape} was refused: {host.said()}")
            shape = self.context.get_tensor_shape(self.y)
            places = {self.x: host.upload(x), self.y: host.room(shape)}
            for name, address in places.items():
                self.context.set_tensor_address(name, address)
            self.context.execute_async_v3(stream_handle=host.stream)
            host.wait(host.stream)
            return host.download(places[self.y], shape)

    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("\n".join(f"{i}: {parser.get_error(i)}" for i in range(parser.num_errors)))
        config, profile = builder.create_builder_config(), builder.create_optimization_profile()
        low, likely, high = shapes
        profile.set_shape(network.get_input(0).name, min=low, opt=likely, max=high)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if not plan:
            raise ValueError(f"nothing was built: {host.said()}")
        return bytes(plan)

    return host.tries(build, Engine)


@right("room_for_the_largest")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        most = engine.get_tensor_profile_shape(x_name, 0)[2]
        context.set_input_shape(x_name, most)
        y = host.room(context.get_tensor_shape(y_name))
        context.set_tensor_address(y_name, y)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            context.set_tensor_address(x_name, host.upload(x))
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@right("errors_gathered_first")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        understood = parser.parse(model)
        errors = [str(parser.get_error(i)) for i in range(parser.num_errors)]
        if errors or not understood:
            raise ValueError(f"not understood: {errors}")
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@right("refusals_in_one_place")
def run_network(host):
    def need(given, words):
        if given is None or given is False:
            raise ValueError(words)
        return given

    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        return bytes(need(plan, host.said()))

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        need(engine, host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            taken = context.set_input_shape(x_name, x.shape)
            need(taken, host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            need(context.execute_async_v3(host.stream), host.said())
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@right("profile_asked_before_the_run")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            low, _, high = engine.get_tensor_profile_shape(x_name, 0)
            if not low[0] <= len(x) <= high[0]:
                raise ValueError(f"{x.shape} is not between {low} and {high}")
            context.set_input_shape(x_name, x.shape)
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@right("names_by_their_mode")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        modes = {engine.get_tensor_mode(engine.get_tensor_name(i)): engine.get_tensor_name(i) for i in range(2)}
        x_name, y_name = modes[trt.TensorIOMode.INPUT], modes[trt.TensorIOMode.OUTPUT]

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("the_networks_name", misconception="no_plan", says="of what build_serialized_network gives")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return network

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("no_profile_at_all", misconception="no_profile", says="no profile says how many may come")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        config = builder.create_builder_config()
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("profile_not_added", misconception="no_profile", says="and add_optimization_profile")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("opt_is_max", misconception="other_profile", says="set_shape takes min, opt and max")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, shapes[0], shapes[2], shapes[2])
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("shape_not_set", misconception="not_begun", says="nothing ran")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            y = host.room((8, 99))
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, (1, 1))

        return run

    return host.tries(build, load)


@wrong("stream_0", misconception="other_stream", says="nobody orders it after the upload")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(0)
            host.wait(0)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("taken_at_once", misconception="not_waited_for", says="wait for the stream first")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("waits_too_late", misconception="not_waited_for", says="execute_async_v3 only begins it")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            taken = host.download(y, shape)
            host.wait(host.stream)
            return taken

        return run

    return host.tries(build, load)


@wrong("input_given_back", misconception="wrong_result", says="have addresses of their own")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return x[:, : shape[1]]

        return run

    return host.tries(build, load)


@wrong("first_shape_kept", misconception="first_shape_alone", says="each run sets the input's shape")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        shapes = []

        def run(x):
            if not shapes:
                context.set_input_shape(x_name, x.shape)
                shapes.append(context.get_tensor_shape(y_name))
            shape = shapes[0]
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("refusal_not_asked", misconception="outside_taken", says="returns False, and the context stays")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            context.set_input_shape(x_name, x.shape)
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("a_context_a_run", misconception="context_each_run", says="one is made when the plan is loaded")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            context = engine.create_execution_context()
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("names_of_the_first_file", misconception="names_taken", says="ask the network and the engine for them")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape("x", *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = "x", "y"

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("one_context_for_all", misconception="engines_mixed", says="each run keeps its own context")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    kept = {}

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        kept["context"] = engine.create_execution_context()
        kept["names"] = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            context, (x_name, y_name) = kept["context"], kept["names"]
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("parser_not_asked", misconception="errors_swallowed", says="parse returns False")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        parser.parse(model)
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("not_in_its_words", misconception="errors_swallowed", says="the errors are asked for")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("the file was not understood")
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("first_error", misconception="first_error_alone", says="the parser has num_errors errors")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError(str(parser.get_error(0)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("build_believed", misconception="build_not_told", says="returns None then")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("plan_believed", misconception="damage_not_told", says="deserialize_cuda_engine returns None")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("built_to_be_sure", misconception="built_again", says="that is what the plan is for")
def run_network(host):
    files = []

    def build(model, shapes):
        files.append((model, shapes))
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        if len(files) > 1:
            plan = build(*files.pop())
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        context = engine.create_execution_context()
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)
            return host.download(y, shape)

        return run

    return host.tries(build, load)


@wrong("room_of_the_inputs_shape", misconception="exception", says="longer than the room", outcome="Crashed")
def run_network(host):
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()  # one, for all requests
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = x.shape
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)  # until then the result is not there
            return host.download(y, shape)

        return run

    return host.tries(build, load)
